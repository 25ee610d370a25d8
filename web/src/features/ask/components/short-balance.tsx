import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
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
        {formatNumber(missing)} {missing === 1 ? 'submission is' : 'submissions are'} missing.{' '}
        {covered > 0
          ? `Your balance covers ${formatNumber(covered)} ${covered === 1 ? 'row' : 'rows'}. Start with them, and the batch waits for more submissions when they are used up.`
          : 'Your balance does not cover a single row.'}
      </p>
      <div className="row">
        {covered > 0 && (
          <>
            <Button variant="secondary" busy={busy} onClick={onPartial}>
              Start with {formatNumber(covered)}
            </Button>
            <Button variant="secondary" onClick={() => onLimit(String(covered))}>
              Ask only the first {formatNumber(covered)}
            </Button>
          </>
        )}
        <Link to={paths.credits} className="button secondary">
          Buy Credits
        </Link>
      </div>
    </div>
  );
}
