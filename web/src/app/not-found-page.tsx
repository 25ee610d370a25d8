import { useTitle } from '../lib/hooks/use-title.ts';
import { paths } from '../lib/paths.ts';
import * as texts from '../texts/app.ts';
import { ButtonLink } from '../ui/button.tsx';

export function NotFoundPage() {
  useTitle(texts.notFound);
  return (
    <div className="narrow stack">
      <h1>{texts.notFound}</h1>
      <p>{texts.notFoundReason}</p>
      <div>
        <ButtonLink to={paths.root}>{texts.toStart}</ButtonLink>
      </div>
    </div>
  );
}
