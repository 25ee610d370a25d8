import type { Batch } from '@rowmill/contract';
import { useState } from 'react';
import { describePause } from '../../entities/batch/description.ts';
import { creditsPath } from '../../lib/paths.ts';
import * as texts from '../../texts/batches.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChangeOptions } from './actions/change-options.tsx';
import styles from './pause-notice.module.css';

/** Why a batch is paused and what to do next. */
export function PauseNotice({ batch }: { batch: Batch }) {
  const [isChanging, setChanging] = useState(false);
  const pause = describePause(batch);
  if (!pause) return null;
  const { reason, why, next, detail } = pause;
  const isOwn = reason === 'person';
  const isRefused = ['provider_refused', 'request_refused'].includes(reason);
  const content = (
    <div className={styles.content}>
      <p>
        {why} {next}
      </p>
      {detail && <p>{isRefused ? texts.reason(detail) : detail}</p>}
      {reason === 'request_refused' && (
        <Button variant="secondary" onClick={() => setChanging(true)}>
          {texts.changeOptions}
        </Button>
      )}
      {reason === 'needs_credits' && !pause.isLimited && (
        <ButtonLink to={creditsPath({ batch: batch.id })} variant="secondary">
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
