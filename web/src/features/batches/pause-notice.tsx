import type { Batch } from '@rowmill/contract';
import { pauseTexts } from '../../entities/batch/description.ts';
import { creditsPath } from '../../lib/paths.ts';
import * as texts from '../../texts/batches.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './pause-notice.module.css';

/** Why a batch is paused and what to do next. */
export function PauseNotice({ batch }: { batch: Batch }) {
  if (batch.state !== 'paused' || !batch.pause_reason) return null;
  const { why, next } = pauseTexts[batch.pause_reason];
  const isOwn = batch.pause_reason === 'person';
  const content = (
    <div className={styles.content}>
      <p>
        {why} {next}
      </p>
      {batch.pause_detail && (
        <p>
          {batch.pause_reason === 'provider_refused'
            ? texts.providerMessage(batch.pause_detail)
            : batch.pause_detail}
        </p>
      )}
      {batch.pause_reason === 'needs_credits' && (
        <ButtonLink to={creditsPath(batch.id)} variant="secondary">
          {texts.buyCredits}
        </ButtonLink>
      )}
    </div>
  );
  return (
    <div className={styles.pause}>
      {isOwn ? (
        content
      ) : (
        <Notice tone="warning" isStatic>
          {content}
        </Notice>
      )}
    </div>
  );
}
