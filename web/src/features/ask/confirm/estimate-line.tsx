import { estimateFacts } from '../../../entities/batch/estimate.ts';
import * as texts from '../../../texts/ask.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import type { Quote } from './quote.ts';

/** How long the rest is likely to take, with ranges behind it. Nothing before a row was tried. */
export function EstimateLine({ quote }: { quote: Quote }) {
  const { expected: submissions, tokens, seconds } = quote;
  const facts = estimateFacts({ submissions, tokens, seconds });
  if (facts.length === 0) return null;
  const ranges = facts.map(({ name, expected, range }) => ({
    name,
    value: range ?? expected,
  }));
  return (
    <Disclosure title={texts.likely(facts.map(({ expected }) => expected).join(', '))}>
      <FactList facts={ranges} />
      <p className="muted">{texts.byRowsTried}</p>
    </Disclosure>
  );
}
