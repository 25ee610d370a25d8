import { formatNumber } from '../../../lib/format.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/ask.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

interface Props {
  /** How many rows the balance covers, and how many submissions are missing for the rest. */
  covered: number;
  missing: number;
  busy: boolean;
  onStartAnyway: () => void;
  onRowLimit: (limit: string) => void;
}

/** Too few submissions: start anyway, run fewer rows or buy more. */
export function ShortBalance({ covered, missing, busy, onStartAnyway, onRowLimit }: Props) {
  return (
    <Notice tone="warning">
      <div className="stack">
        <p>
          {texts.submissionsShort(missing, formatNumber(missing))}{' '}
          {covered > 0
            ? texts.balanceCovers(covered, formatNumber(covered))
            : texts.balanceCoversNone}
        </p>
        <div className="row">
          {covered > 0 && (
            <>
              <Button variant="secondary" busy={busy} onClick={onStartAnyway}>
                {texts.startAnyway}
              </Button>
              <Button variant="secondary" onClick={() => onRowLimit(String(covered))}>
                {texts.limitToFirstRows(covered, formatNumber(covered))}
              </Button>
            </>
          )}
          <ButtonLink to={paths.credits} variant="secondary">
            {texts.buyCredits}
          </ButtonLink>
        </div>
      </div>
    </Notice>
  );
}
