import { expect, it } from 'vitest';
import { partsOf } from './name-parts.ts';

it.each([
  ['a short name', 'ltr', ['goods.csv', '']],
  ['a long name', 'ltr', ['goods of the wh', 'ole year.csv']],
  ['an emoji of several characters', 'ltr', ['goods of the wh', 'ole👩‍👩‍👧year.csv']],
  ['digits', 'ltr', ['2026 11 30 2026 11', ' 30 2026.csv']],
  ['a short Hebrew name', 'rtl', ['דוח קצר 2026.csv', '']],
  ['a long Hebrew name', 'rtl', ['שלום עולם זה שם קובץ ארוך עם הר', 'בה מילים.csv']],
  ['a date behind Hebrew', 'rtl', ['דוח מכירות שנתי של החברה', ' 2026-11-30.csv']],
  ['a name behind Arabic', 'rtl', ['تقرير المبيعات السنوي للشركة', ' Acme Limited v2.csv']],
  ['a longer name behind Hebrew', 'rtl', ['דוח מכירות Q4 final version.csv', '']],
  ['Hebrew behind a name', 'ltr', ['report for the year and', ' דוח מכירות שנתי.csv']],
  ['longer Hebrew behind a name', 'ltr', ['report דוח מכירות שנתי של החברה.', 'csv']],
] as const)('cuts %s where no half is turned round', (_, dir, [start, end]) => {
  expect(partsOf(start + end)).toEqual({ dir, start, end });
});
