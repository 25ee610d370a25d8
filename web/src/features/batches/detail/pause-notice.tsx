import type { Batch } from '@rowmill/contract';
import { Link } from 'react-router';
import { pauseTexts } from '../../../entities/batch/description.ts';
import { creditsPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches.ts';

/** Why a batch stands still, and the next step. */
export function PauseNotice({
  batch,
}: {
  batch: Pick<Batch, 'id' | 'state' | 'pause_reason' | 'pause_detail'>;
}) {
  if (batch.state !== 'paused' || !batch.pause_reason) return null;
  const { why, next } = pauseTexts[batch.pause_reason];
  return (
    <div className={batch.pause_reason === 'person' ? 'batch-pause' : 'batch-pause notice warning'}>
      <p>
        {why} {next}
      </p>
      {batch.pause_detail && <p>{texts.providerMessage(batch.pause_detail)}</p>}
      {batch.pause_reason === 'needs_credits' && (
        <Link to={creditsPath(batch.id)} className="button secondary">
          {texts.buyCredits}
        </Link>
      )}
    </div>
  );
}
