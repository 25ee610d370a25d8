/** Why an answer of the model cannot be used. */
export const notColumns = 'The answer is not split into columns, as was asked for.';
export const lacksColumns = (names: readonly string[]) =>
  `The answer lacks the column${names.length === 1 ? '' : 's'} ${names.map((name) => `“${name}”`).join(', ')}.`;
