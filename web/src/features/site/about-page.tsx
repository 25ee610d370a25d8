import { useTitle } from '../../lib/hooks/use-title.ts';
import { settings } from '../../lib/settings.ts';
import { productSummary } from '../../texts/app.ts';
import * as texts from '../../texts/site.ts';
import { RichText } from '../../ui/rich-text.tsx';

export function AboutPage() {
  useTitle(texts.about);
  const { product, company, address, email } = settings().operator;
  return (
    <article className="prose">
      <h1>{texts.aboutProduct(product)}</h1>
      <p>{productSummary(product)}</p>
      <p>{texts.whoItIsFor}</p>
      <p>
        <RichText
          text={texts.whoRunsIt}
          parts={{ product, company, address, email: <a href={`mailto:${email}`}>{email}</a> }}
        />
      </p>
    </article>
  );
}
