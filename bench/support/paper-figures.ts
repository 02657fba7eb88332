// What value analysis was worth in the papers: Tables 3.1 and 3.2 of the thesis behind Lazy-CSeq+ABS (averages over a
// subcategory of SV-COMP'16; CBMC 5.6 on a Xeon W3520 of 2.6 GHz), and what its text says of the hard programs beside
// Fig. 3.3 to 3.5. "Without" is Lazy-CSeq 1.0.

export interface PaperCosts {
  readonly timeSeconds: number;
  readonly memoryMegabytes: number;
  /** The thesis gives the sizes of the hard programs' formulas in pictures only. */
  readonly variables: number | null;
  readonly clauses: number | null;
}

export interface PaperRow {
  readonly category: string;
  readonly expected: 'safe' | 'unsafe';
  readonly files: number;
  readonly without: PaperCosts;
  readonly with: PaperCosts;
  /** Frama-C's share. */
  readonly analysisSeconds: number | null;
}

type Costs = readonly [timeSeconds: number, memoryMegabytes: number, variables: number | null, clauses: number | null];

function row(
  category: string,
  expected: PaperRow['expected'],
  files: number,
  without: Costs,
  withIt: Costs,
  analysisSeconds: number | null,
): PaperRow {
  return { category, expected, files, without: costsOf(without), with: costsOf(withIt), analysisSeconds };
}

function costsOf([timeSeconds, memoryMegabytes, variables, clauses]: Costs): PaperCosts {
  return { timeSeconds, memoryMegabytes, variables, clauses };
}

/** Times with value analysis are those of CBMC and Frama-C together. */
export const PAPER_TABLES: readonly PaperRow[] = [
  row('pthread', 'unsafe', 17, [34.69, 84.91, 89_317, 336_250], [23.51, 66.79, 47_961, 184_287], 5.47),
  row('pthread-atomic', 'unsafe', 2, [1.66, 33.29, 9_131, 29_186], [2.69, 46.22, 6_259, 17_936], 0.89),
  row('pthread-ext', 'unsafe', 8, [6.54, 358.42, 647_840, 2_654_905], [5.5, 83.12, 89_718, 423_391], 1.05),
  row('pthread-lit', 'unsafe', 3, [1.93, 38.33, 9_993, 31_206], [3.14, 49.29, 5_882, 16_421], 1.2),
  row('pthread-wmm', 'unsafe', 754, [2.01, 31.38, 2_427, 5_668], [3.12, 46.08, 2_402, 5_578], 0.92),
  row('pthread', 'safe', 15, [172.44, 1124.41, 1_732_068, 7_270_420], [107.02, 945.27, 1_424_912, 6_004_425], 8.43),
  row('pthread-atomic', 'safe', 9, [2.73, 37.92, 18_947, 67_709], [4.92, 47.66, 16_611, 58_334], 2.01),
  row('pthread-ext', 'safe', 45, [71.69, 876.75, 1_660_452, 6_949_976], [51.55, 552.6, 937_204, 4_036_919], 2.19),
  row('pthread-lit', 'safe', 8, [5.81, 43.7, 15_207, 57_356], [5.86, 51.58, 11_094, 42_161], 0.98),
  row('pthread-wmm', 'safe', 144, [1.62, 31.45, 3_154, 9_420], [2.52, 45.72, 3_065, 9_084], 0.89),
];

/** By the short name of the program. */
export const PAPER_HARD: ReadonlyMap<string, PaperRow> = new Map(
  [
    row('safestack', 'unsafe', 1, [4408, 2232, null, null], [2651, 1219, null, null], 17),
    row('eliminationstack', 'unsafe', 1, [20_113, 2447, null, null], [4049, 1198, null, null], 4.9),
    row('dcas', 'unsafe', 1, [1972.69, 3112.27, null, null], [1234.01, 3090.01, null, null], null),
  ].map((one) => [one.category, one]),
);
