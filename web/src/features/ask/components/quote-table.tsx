import { formatNumber } from '../../../lib/format.ts';
import { figuresOf, type Quote } from '../quote-figures.ts';

interface Line {
  words: string;
  hint?: string;
  number: number;
}

export function QuoteTable({ quote }: { quote: Quote }) {
  const { after, missing } = figuresOf(quote);
  return (
    <>
      <p className="ask-unseen" role="status">
        {formatNumber(quote.needed)} submissions needed, {formatNumber(quote.available)} available.
      </p>
      <table className="ask-quote">
        <caption className="ask-unseen">What it costs</caption>
        <tbody>
          {linesOf(quote).map(({ words, hint, number }) => (
            <tr key={words}>
              <th scope="row">
                {words}
                {hint && <span className="ask-hint">{hint}</span>}
              </th>
              <td>{formatNumber(number)}</td>
            </tr>
          ))}
          {missing === 0 && (
            <tr className="ask-total">
              <th scope="row">Balance after</th>
              <td>{formatNumber(after)}</td>
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

/** What is nothing and means nothing is left out. */
function linesOf({ rows, blank, duplicates, answered, needed, available }: Quote): Line[] {
  const exceptions = [
    { words: 'Blank rows', hint: 'Left out. They cost nothing.', number: blank },
    { words: 'Duplicates', hint: 'They ask what another row asks, and are charged like every row.', number: duplicates },
    { words: 'Answered already', hint: 'By a preview of the same question.', number: answered },
  ];
  return [
    { words: 'Rows', number: rows },
    ...exceptions.filter(({ number }) => number > 0),
    { words: 'Submissions needed', hint: 'A row that fails is not charged.', number: needed },
    { words: 'Available', number: available },
  ];
}
