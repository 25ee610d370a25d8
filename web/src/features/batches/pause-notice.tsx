import type { Batch } from '@rowmill/contract';
import { Link } from 'react-router';
import { pauseTexts } from '../../entities/batch/description.ts';
import { creditsPath } from '../../lib/paths.ts';
import * as texts from '../../texts/batches.ts';
import styles from './pause-notice.module.css';

/** Why a batch is paused and what to do next. */
export function PauseNotice({ batch }: { batch: Batch }) {
  if (batch.state !== 'paused' || !batch.pause_reason) return null;
  const { why, next } = pauseTexts[batch.pause_reason];
  const isOwn = batch.pause_reason === 'person';
  return (
    <div className={isOwn ? styles.pause : `${styles.pause} notice warning`}>
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
