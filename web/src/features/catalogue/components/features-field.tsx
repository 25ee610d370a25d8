import { catalogueLimits } from '@rowmill/contract';
import { useId } from 'react';
import * as texts from '../../../texts/catalogue.ts';

interface Props {
  features: readonly string[];
  problem: string | undefined;
}

/** What stands on the card of a plan, one point a line. */
export function FeaturesField({ features, problem }: Props) {
  const id = useId();
  const hint = texts.featuresHint(catalogueLimits.features);
  return (
    <div className="field">
      <label htmlFor={id}>{texts.features}</label>
      <textarea
        id={id}
        name="features"
        className="ask-textarea"
        rows={4}
        defaultValue={features.join('\n')}
        aria-invalid={!!problem}
        aria-describedby={`${id}-note`}
      />
      <span id={`${id}-note`} className={problem ? 'problem' : 'hint'}>
        {problem ?? hint}
      </span>
    </div>
  );
}
