import type { Batch } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  describePause,
  describeWait,
  missingSubmissions,
} from '../../entities/batch/description.ts';
import { balanceQuery } from '../../entities/credits/balance.ts';
import { formatNumber } from '../../lib/format.ts';
import { creditsPath } from '../../lib/paths.ts';
import { useSubjectId } from '../../lib/session.ts';
import * as texts from '../../texts/batches/batch.ts';
import { continuesThen } from '../../texts/entities.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChangeOptions } from './actions/change-options.tsx';
import styles from './pause-notice.module.css';

/** Why a batch is paused or waits, and what to do next. */
export function PauseNotice({ batch }: { batch: Batch }) {
  const [isChanging, setChanging] = useState(false);
  const pause = describePause(batch);
  const wait = describeWait(batch);
  if (wait)
    return (
      <div className={styles.pause}>
        <Notice tone="warning">
          {wait} {continuesThen}
        </Notice>
      </div>
    );
  if (!pause) return null;
  const { reason, why, next, detail } = pause;
  const isOwn = reason === 'person';
  const isRefused = ['provider_refused', 'request_refused'].includes(reason);
  const isShort = reason === 'needs_credits' && !pause.isLimited;
  const content = (
    <div className={styles.content}>
      {isShort ? (
        <MissingSubmissions batch={batch} why={why} next={next} />
      ) : (
        <p>
          {why} {next}
        </p>
      )}
      {detail && <p>{isRefused ? texts.reason(detail) : detail}</p>}
      {reason === 'request_refused' && (
        <Button variant="secondary" onClick={() => setChanging(true)}>
          {texts.changeOptions}
        </Button>
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

interface MissingProps {
  batch: Batch;
  why: string;
  next: string;
}

/** How many submissions all remaining rows need besides the balance, and where to buy them. */
function MissingSubmissions({ batch, why, next }: MissingProps) {
  const userId = useSubjectId() ?? '';
  const { data: balance } = useQuery(balanceQuery(userId));
  // Buying is offered also while the balance is not known.
  const missing = balance === undefined ? undefined : missingSubmissions(batch, balance);
  if (missing === 0) return <p>{texts.balanceIsEnough}</p>;
  return (
    <>
      <p>
        {why}{' '}
        {missing !== undefined &&
          texts.moreNeeded(missing, formatNumber(missing), batch.price_by_size !== null)}{' '}
        {balance && balance.debt > 0 && `${texts.partIsDebt(formatNumber(balance.debt))} `}
        {next}
      </p>
      <ButtonLink to={creditsPath({ batch: batch.id, amount: missing })} variant="secondary">
        {texts.buyCredits}
      </ButtonLink>
    </>
  );
}
