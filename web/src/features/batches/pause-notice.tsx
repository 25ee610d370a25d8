import type { Batch } from '@rowmill/contract';
import { useState } from 'react';
import { pauseTexts } from '../../entities/batch/description.ts';
import { creditsPath } from '../../lib/paths.ts';
import * as texts from '../../texts/batches.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChangeOptions } from './actions/change-options.tsx';
import styles from './pause-notice.module.css';

/** Why a batch is paused and what to do next. */
export function PauseNotice({ batch }: { batch: Batch }) {
  const [isChanging, setChanging] = useState(false);
  if (batch.state !== 'paused' || !batch.pause_reason) return null;
  const { why, next } = pauseTexts[batch.pause_reason];
  const isOwn = batch.pause_reason === 'person';
  // Buying does not help: the detail is the monthly limit.
  const isLimited = batch.pause_reason === 'needs_credits' && batch.pause_detail !== null;
  const isRefused = ['provider_refused', 'request_refused'].includes(batch.pause_reason);
  const content = (
    <div className={styles.content}>
      <p>
        {isLimited ? batch.pause_detail : why} {next}
      </p>
      {batch.pause_detail && !isLimited && (
        <p>{isRefused ? texts.providerMessage(batch.pause_detail) : batch.pause_detail}</p>
      )}
      {batch.pause_reason === 'request_refused' && (
        <Button variant="secondary" onClick={() => setChanging(true)}>
          {texts.changeOptions}
        </Button>
      )}
      {batch.pause_reason === 'needs_credits' && !isLimited && (
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
      {isChanging && <ChangeOptions batch={batch} onClose={() => setChanging(false)} />}
    </div>
  );
}
