import { Link } from 'react-router';
import { useTitle } from '../lib/hooks/use-title.ts';
import { paths } from '../lib/paths.ts';
import * as texts from '../texts/app.ts';

export function NotFoundPage() {
  useTitle(texts.notFound);
  return (
    <div className="narrow stack">
      <h1>{texts.nothingHere}</h1>
      <p>{texts.nothingHereWhy}</p>
      <div>
        <Link to={paths.root} className="button primary">
          {texts.toTheStart}
        </Link>
      </div>
    </div>
  );
}
