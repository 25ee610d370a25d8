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
