import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/ask.ts';
import { figuresOf, type Quote } from './quote.ts';

interface Line {
  words: string;
  hint?: string;
  number: number;
}

export function QuoteTable({ quote }: { quote: Quote }) {
  const { after, missing } = figuresOf(quote);
  return (
    <>
      <p className="heard" role="status">
        {texts.costInWords({
          needed: formatNumber(quote.needed),
          available: formatNumber(quote.available),
        })}
      </p>
      <table className="ask-quote">
        <caption className="heard">{texts.cost}</caption>
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
              <th scope="row">{texts.balanceAfter}</th>
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
    { ...texts.blank, number: blank },
    { ...texts.duplicates, number: duplicates },
    { ...texts.answered, number: answered },
  ];
  return [
    { ...texts.allRows, number: rows },
    ...exceptions.filter(({ number }) => number > 0),
    { ...texts.needed, number: needed },
    { ...texts.available, number: available },
  ];
}
