import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';

interface Props {
  covered: number;
  missing: number;
  busy: boolean;
  onPartial: () => void;
  onLimit: (limit: string) => void;
}

/** Too few submissions: begin and wait for more, ask fewer rows, or buy first. */
export function ShortBalance({ covered, missing, busy, onPartial, onLimit }: Props) {
  return (
    <div className="notice warning stack" role="status">
      <p>
        {texts.missing(missing, formatNumber(missing))}{' '}
        {covered > 0 ? texts.covers(covered, formatNumber(covered)) : texts.coversNone}
      </p>
      <div className="row">
        {covered > 0 && (
          <>
            <Button variant="secondary" busy={busy} onClick={onPartial}>
              {texts.startWith(formatNumber(covered))}
            </Button>
            <Button variant="secondary" onClick={() => onLimit(String(covered))}>
              {texts.askOnlyFirst(formatNumber(covered))}
            </Button>
          </>
        )}
        <Link to={paths.credits} className="button secondary">
          {texts.buyCredits}
        </Link>
      </div>
    </div>
  );
}
