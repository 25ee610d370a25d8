import { expect, it } from 'vitest';
import { type GridColumn, placeColumns } from './grid-layout.ts';

const column = (id: string, width: number, pin?: 'start' | 'end'): GridColumn<never> => ({
  id,
  label: id,
  width,
  pin,
  text: () => '',
});
const columns = (answers: number, width = 360) => [
  column('state', 350, 'start'),
  column('name', 300),
  ...Array.from({ length: answers }, (_, index) => column(`answer ${index}`, width, 'end')),
];
const sheet = [column('number', 57, 'start'), column('first', 260, 'start')];

it.each([
  ['as wide as they are while there is room', 1_200, columns(1), [550]],
  ['narrower beside an open row', 776, columns(1), [186]],
  ['as many as can be read', 776, columns(3), [186]],
  ['more of them where they are narrow', 776, columns(4, 90), [90, 90]],
  ['not at all where the columns of the row fill the grid', 390, columns(1), []],
])('keeps answers in view %s', (_, available, wanted, widths) => {
  const { ends } = placeColumns(wanted, available);
  expect(ends.map(({ width }) => width)).toEqual(widths);
});

it.each([
  ['when the answer would scroll away beside it', 545, ['number'], [220]],
  ['on a phone, and makes the answer narrower', 358, ['number'], [157]],
  ['not while there is room for both', 900, ['number', 'first'], [220]],
  ['with text of 200% on a phone, where no answer fits beside it', 195, ['number'], []],
])('lets the frozen column of a sheet scroll %s', (_, available, pinned, widths) => {
  const { starts, ends } = placeColumns(
    [...sheet, column('other', 600), column('answer', 220, 'end')],
    available,
  );
  expect(starts.map(({ id }) => id)).toEqual(pinned);
  expect(ends.map(({ width }) => width)).toEqual(widths);
});

it.each([320, 358, 480, 700, 960, 1_400, 1_880])(
  'shows an answer beside the number of a row at %s px, and room to scroll in',
  (available) => {
    for (const others of [0, 1, 40])
      for (const answers of [1, 2, 4, 50])
        for (const width of [88, 180, 900]) {
          const { starts, ends, startWidth, endWidth } = placeColumns(
            [
              ...sheet,
              ...Array.from({ length: others }, (_, index) => column(`other ${index}`, 200)),
              ...Array.from({ length: answers }, (_, index) => column(`${index}`, width, 'end')),
            ],
            available,
          );
          expect(starts[0]?.id).toBe('number');
          expect(ends[0]).toMatchObject({ id: '0' });
          expect(ends[0]?.width).toBeGreaterThanOrEqual(88);
          const pinned = startWidth + endWidth;
          if (pinned > available) throw new Error(`${others} ${answers} ${width}: ${pinned} px`);
        }
  },
);

it.each([
  ['to the answer with most text', {}, [80, 350, 110, 90]],
  ['to the next one if a person chose its width', { isSized: true }, [80, 180, 280, 90]],
  ['to the last column if there are only numbers', { isAnswer: false }, [80, 180, 110, 260]],
])('gives the rest of a wide grid %s', (_, summary, widths) => {
  const answer = { isAnswer: true };
  const { ends } = placeColumns(
    [
      column('number', 57, 'start'),
      { ...column('yes', 80, 'end'), ...answer, isNumeric: true },
      { ...column('summary', 180, 'end'), ...answer, ...summary },
      { ...column('date', 110, 'end'), ...answer, isNumeric: 'isAnswer' in summary },
      { ...column('score', 90, 'end'), ...answer, isNumeric: true },
    ],
    687,
  );
  expect(ends.map(({ width }) => width)).toEqual(widths);
});

it('places the answers without room after the others, in their order', () => {
  const { middles, ends, startWidth, middleWidth, endWidth, width } = placeColumns(
    [...columns(3), column('notes', 100)],
    776,
  );
  expect(ends.map(({ id }) => id)).toEqual(['answer 0']);
  expect(middles.map(({ id, offset }) => [id, offset])).toEqual([
    ['name', startWidth],
    ['answer 1', startWidth + middleWidth + endWidth],
    ['answer 2', startWidth + middleWidth + endWidth + 360],
    ['notes', startWidth + middleWidth + endWidth + 720],
  ]);
  expect([startWidth, middleWidth, endWidth, width]).toEqual([350, 300, 186, 1_656]);
});
