import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../support/random.ts';
import { type BitVector, constant, constantValue, fresh } from './bit-vector.ts';
import { Circuit } from './circuit.ts';
import { evaluate } from './evaluate.ts';
import {
  FLOAT16,
  FLOAT32,
  FLOAT64,
  type FloatFormat,
  floatEq,
  floatLe,
  floatLt,
  floatNeg,
  floatWidth,
  isNan,
} from './float.ts';
import { floatAdd, floatDiv, floatMul } from './float-arithmetic.ts';
import { floatToFloat, floatToSigned, signedToFloat } from './float-conversion.ts';
import { type Literal, TRUE } from './literal.ts';

const view = new DataView(new ArrayBuffer(8));

function bits64(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

function pack(value: number, format: FloatFormat): BitVector {
  if (format === FLOAT64) return constant(bits64(value), 64);
  view.setFloat32(0, value);
  return constant(BigInt(view.getUint32(0)), 32);
}

/** The value of constant bits in any format up to double precision; a NaN is NaN whatever its payload. */
function read(bits: BitVector, format: FloatFormat): number {
  const value = constantValue(bits);
  if (value === undefined) throw new Error('the result is not constant');
  return decode(value, format);
}

function decode(value: bigint, format: FloatFormat): number {
  const fractionBits = BigInt(format.significandBits - 1);
  const fraction = Number(BigInt.asUintN(Number(fractionBits), value));
  const field = Number(BigInt.asUintN(format.exponentBits, value >> fractionBits));
  const sign = value >> BigInt(floatWidth(format) - 1) === 1n ? -1 : 1;
  const bias = 2 ** (format.exponentBits - 1) - 1;
  const scale = 2 ** Number(fractionBits);
  if (field === 2 ** format.exponentBits - 1) return fraction === 0 ? sign * Infinity : Number.NaN;
  if (field === 0) return sign * ((fraction / scale) * 2 ** (1 - bias));
  return sign * (1 + fraction / scale) * 2 ** (field - bias);
}

const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  1.5,
  2.5,
  -2.5,
  3,
  1e-45,
  -1e-45,
  2 ** -126,
  2 ** -149,
  2 ** -1022,
  5e-324,
  1e308,
  3.4e38,
]
  .concat([Infinity, -Infinity, Number.NaN, 2 ** 24 + 1, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 63, -(2 ** 63), 0.1, 1 / 3])
  .concat([
    1 + 2 ** -52,
    1 - 2 ** -53,
    1 + 2 ** -23,
    1 - 2 ** -24,
    Number.MAX_VALUE,
    3.4028234663852886e38,
    127.5,
    255,
    -128.9,
  ]);

/** Random bit patterns, random numbers of like size (so that sums cancel), and special ones. */
function randomNumber(random: Random, format: FloatFormat): number {
  const round = format === FLOAT64 ? (x: number) => x : Math.fround;
  if (random.chance(1, 4)) return round(random.pick(SPECIAL));
  if (random.chance(1, 2)) return round((random.word() / 2 ** 32 - 0.5) * 2 ** (random.below(8) - 4));
  view.setUint32(0, random.word());
  view.setUint32(4, random.word());
  return format === FLOAT64 ? view.getFloat64(0) : view.getFloat32(0);
}

const FORMATS = { float: FLOAT32, double: FLOAT64 };

describe('arithmetic on constants is that of JavaScript', () => {
  const subtract: typeof floatAdd = (circuit, format, a, b) => floatAdd(circuit, format, a, floatNeg(b));
  const operations = {
    add: [floatAdd, (a: number, b: number) => a + b],
    sub: [subtract, (a: number, b: number) => a - b],
    mul: [floatMul, (a: number, b: number) => a * b],
    div: [floatDiv, (a: number, b: number) => a / b],
  } as const;
  for (const [formatName, format] of Object.entries(FORMATS)) {
    const round = format === FLOAT64 ? (x: number) => x : Math.fround;
    for (const [name, [build, reference]] of Object.entries(operations)) {
      it(`${name} of ${formatName}s`, () => {
        const random = createRandom(7);
        const circuit = new Circuit();
        for (let i = 0; i < 250; i++) {
          const [a, b] = [randomNumber(random, format), randomNumber(random, format)];
          const result = build(circuit, format, pack(a, format), pack(b, format));
          expect(read(result, format), `${name}(${a}, ${b})`).toBe(round(reference(a, b)));
        }
        expect(circuit.gateCount).toBe(0);
      });
    }
  }

  it('compares', () => {
    const random = createRandom(8);
    const circuit = new Circuit();
    for (let i = 0; i < 1000; i++) {
      const [x, y] = [randomNumber(random, FLOAT64), randomNumber(random, FLOAT64)];
      const [a, b] = [pack(x, FLOAT64), pack(random.chance(1, 4) ? x : y, FLOAT64)];
      const [left, right] = [x, read(b, FLOAT64)];
      const seen = [floatEq, floatLt, floatLe].map((compare) => compare(circuit, FLOAT64, a, b) === TRUE);
      expect(seen, `${left} and ${right}`).toEqual([left === right, left < right, left <= right]);
      expect(isNan(circuit, FLOAT64, a) === TRUE).toBe(Number.isNaN(x));
      expect(read(floatNeg(a), FLOAT64)).toBe(-x);
    }
  });
});

describe('conversions', () => {
  it('between formats', () => {
    const random = createRandom(9);
    const circuit = new Circuit();
    for (let i = 0; i < 1000; i++) {
      const [double, float] = [randomNumber(random, FLOAT64), randomNumber(random, FLOAT32)];
      expect(read(floatToFloat(circuit, FLOAT64, FLOAT32, pack(double, FLOAT64)), FLOAT32)).toBe(Math.fround(double));
      expect(read(floatToFloat(circuit, FLOAT32, FLOAT64, pack(float, FLOAT32)), FLOAT64)).toBe(float);
    }
  });

  it('from integers', () => {
    const random = createRandom(10);
    const circuit = new Circuit();
    for (let i = 0; i < 1000; i++) {
      const width = 1 + random.below(64);
      const value = BigInt.asUintN(width, (BigInt(random.word()) << 32n) | BigInt(random.word()));
      const bits = constant(value, width);
      const signed = BigInt.asIntN(width, value);
      expect(read(signedToFloat(circuit, FLOAT64, bits), FLOAT64)).toBe(Number(signed));
      if (width > 53) continue;
      expect(read(signedToFloat(circuit, FLOAT32, bits), FLOAT32)).toBe(Math.fround(Number(signed)));
    }
  });

  it('to integers, and says when the value does not fit', () => {
    const random = createRandom(11);
    const circuit = new Circuit();
    let fitting = 0;
    for (let i = 0; i < 2000; i++) {
      const width = random.pick([1, 8, 16, 32, 64]);
      const small = (random.word() / 2 ** 32 - 0.5) * 2 ** random.below(width + 3);
      const value = random.chance(1, 3) ? randomNumber(random, FLOAT64) : small;
      const truncated = Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
      const { bits, fits } = floatToSigned(circuit, FLOAT64, pack(value, FLOAT64), width);
      const expected = truncated !== undefined && BigInt.asIntN(width, truncated) === truncated;
      expect(fits === TRUE, `${value} in ${width} bits`).toBe(expected);
      if (!expected) continue;
      fitting++;
      expect(constantValue(bits)).toBe(BigInt.asUintN(width, truncated));
    }
    expect(fitting).toBeGreaterThan(500);
  });
});

/** Rounds a double to a small format, by scaling to integers, which is exact there. */
function roundTo(format: FloatFormat, x: number): number {
  if (!Number.isFinite(x) || x === 0) return x;
  const bias = 2 ** (format.exponentBits - 1) - 1;
  let exponent = Math.max(1 - bias, Math.floor(Math.log2(Math.abs(x))));
  if (2 ** exponent > Math.abs(x) && exponent > 1 - bias) exponent--;
  const unit = 2 ** (exponent - format.significandBits + 1);
  const scaled = Math.abs(x) / unit;
  const floor = Math.floor(scaled);
  const isUp = scaled - floor > 0.5 || (scaled - floor === 0.5 && floor % 2 === 1);
  const rounded = (floor + (isUp ? 1 : 0)) * unit;
  const largest = (2 - 2 ** (1 - format.significandBits)) * 2 ** bias;
  return Math.sign(x) * (rounded > largest ? Infinity : rounded);
}

describe('a small format against doubles', () => {
  const tiny: FloatFormat = { exponentBits: 3, significandBits: 4 };

  it('all pairs of numbers, through one circuit with free inputs', () => {
    const width = floatWidth(tiny);
    const circuit = new Circuit();
    const [a, b] = [fresh(circuit, width), fresh(circuit, width)];
    const results = [floatAdd, floatMul].map((build) => build(circuit, tiny, a, b));
    for (let pair = 0; pair < 4 ** width; pair += 5) {
      const values = evaluate(circuit, (variable) => ((pair >> (variable - 2)) & 1) === 1);
      const [x, y] = [decode(values.unsigned(a), tiny), decode(values.unsigned(b), tiny)];
      const [sum, product] = results.map((bits) => decode(values.unsigned(bits), tiny));
      expect(sum, `${x} + ${y}`).toBe(roundTo(tiny, x + y));
      expect(product, `${x} * ${y}`).toBe(roundTo(tiny, x * y));
    }
  });

  it('division of half precision numbers', () => {
    const random = createRandom(14);
    const circuit = new Circuit();
    for (let i = 0; i < 2000; i++) {
      const [a, b] = [0, 1].map(() => constant(BigInt(random.word()), 16)) as [BitVector, BitVector];
      const [x, y] = [read(a, FLOAT16), read(b, FLOAT16)];
      expect(read(floatDiv(circuit, FLOAT16, a, b), FLOAT16)).toBe(roundTo(FLOAT16, x / y));
    }
  });
});

it('free inputs compute what constants fold to', () => {
  const random = createRandom(15);
  const circuit = new Circuit();
  const [a, b] = [fresh(circuit, 32), fresh(circuit, 32)];
  const results = [floatAdd, floatMul, floatDiv].map((build) => build(circuit, FLOAT32, a, b));
  const integer = floatToSigned(circuit, FLOAT32, results[0] as BitVector, 32);
  for (let i = 0; i < 40; i++) {
    const [x, y] = [randomNumber(random, FLOAT32), randomNumber(random, FLOAT32)];
    const inputs = new Map<Literal, boolean>();
    [...pack(x, FLOAT32), ...pack(y, FLOAT32)].forEach((bit, k) => {
      inputs.set([...a, ...b][k] as Literal, bit === TRUE);
    });
    const values = evaluate(circuit, (variable) => inputs.get(variable as Literal) ?? false);
    const seen = results.map((bits) => decode(values.unsigned(bits), FLOAT32));
    expect(seen).toEqual([Math.fround(x + y), Math.fround(x * y), Math.fround(x / y)]);
    if (values.value(integer.fits)) expect(values.signed(integer.bits)).toBe(BigInt(Math.trunc(Math.fround(x + y))));
  }
});
