int counter;
void add(int n) {
  int old = counter;
  counter = old + n;
}
