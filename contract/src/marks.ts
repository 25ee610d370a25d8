/**
 * What an answer is marked with when it is stored, without asking a model. The order is that of
 * bits in the database: add new marks at the end.
 */
export const answerMarks = [
  'empty',
  'refusal',
  'cut_off',
  'echo',
  'placeholder',
  'other_language',
  'off_list',
  'unusual_length',
  'nearly_identical',
] as const;
export type AnswerMark = (typeof answerMarks)[number];

export function bitOf(mark: AnswerMark): number {
  return 1 << answerMarks.indexOf(mark);
}

export function marksIn(bits: number): AnswerMark[] {
  return answerMarks.filter((mark) => (bits & bitOf(mark)) !== 0);
}
