import { expect, it } from 'vitest';
import { type GridColumn, placeColumns } from './grid-layout.ts';

const column = (id: string, width: number, pin?: 'start' | 'end'): GridColumn<never> => ({
  id,
  label: id,
  width,
  pin,
  text: () => '',
});
const columns = (answers: number) => [
  column('state', 350, 'start'),
  column('name', 300),
  ...Array.from({ length: answers }, (_, index) => column(`answer ${index}`, 360, 'end')),
];

it.each([
  ['as wide as they are while there is room', 1_200, 1, [550]],
  ['narrower beside an open row', 776, 1, [186]],
  ['not at all on a phone', 390, 1, []],
  ['not at all when they would be too narrow to read', 776, 3, []],
])('keeps answers in view %s', (_, available, answers, widths) => {
  const { ends } = placeColumns(columns(answers), available);
  expect(ends.map(({ width }) => width)).toEqual(widths);
});

it.each([
  ['when the answer would scroll away beside it', 545, ['number'], [220]],
  ['not on a phone, where the answer scrolls too', 390, ['number', 'first'], []],
  ['not while there is room for both', 900, ['number', 'first'], [220]],
])('lets the frozen column of a sheet scroll %s', (_, available, pinned, widths) => {
  const sheet = [column('number', 57, 'start'), column('first', 260, 'start')];
  const { starts, ends } = placeColumns(
    [...sheet, column('other', 600), column('answer', 220, 'end')],
    available,
  );
  expect(starts.map(({ id }) => id)).toEqual(pinned);
  expect(ends.map(({ width }) => width)).toEqual(widths);
});
