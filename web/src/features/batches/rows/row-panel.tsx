import { type Batch, cellsOf, type Output } from '@rowmill/contract';
import { ChevronDown, ChevronUp, Copy, Link2, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { describeTokens } from '../../../entities/batch/description.ts';
import { cellFacts } from '../../../entities/prompt/cell-facts.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useMediaQuery } from '../../../lib/hooks/use-media-query.ts';
import { batchPath } from '../../../lib/paths.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { columnNumber, submissionCount } from '../../../texts/entities.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { type Fact, FactList } from '../../../ui/fact-list.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Row } from '../api.ts';
import { judgementOfKey, RowJudgement, useJudge } from './judgements.tsx';
import { RowMarks } from './row-marks.tsx';
import styles from './row-panel.module.css';
import { RowState } from './row-state.tsx';
import type { LinkRow } from './use-row-grid.ts';

interface Props {
  batch: Batch;
  /** Its position in the list. */
  index: number;
  /** Undefined while it is loading. */
  row: Row | undefined;
  total: number;
  onIndex: (index: number) => void;
  onClose: () => void;
  onLink: LinkRow;
}

/** On a phone, and in a low window, such as one zoomed to 200%. */
const narrowOrLow = '(max-width: 40em), (max-height: 37.4375em)';

/** One row in full: beside the grid, or over the whole screen where there is no room for both. */
export function RowPanel(props: Props) {
  const { batch, index, row, total, onIndex, onClose, onLink } = props;
  const number = row && row.row + 1;
  const isCovering = useMediaQuery(narrowOrLow);
  useEffect(() => {
    if (number) onLink(number, isCovering);
  }, [number, isCovering, onLink]);
  const title = number ? texts.rowNumber(formatNumber(number)) : texts.loadingRow;
  const go = (next: number) => next >= 0 && next < total && onIndex(next);
  const judge = useJudge(batch.id);
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    // Escape takes back what a Chinese or Japanese word is made of.
    if (event.nativeEvent.isComposing) return;
    const step = stepOf(event);
    const judgement = isTyping(event) || event.repeat ? undefined : judgementOfKey(event.key);
    if (event.key === 'Escape') onClose();
    else if (step) go(index + step);
    else if (judgement && row?.state === 'answered') judge(row, judgement);
    else return;
    event.preventDefault();
  }
  const content = (
    <>
      <div className={styles.tools}>
        <IconButton
          label={texts.previousRow}
          icon={ChevronUp}
          isDisabled={index <= 0}
          onPress={() => go(index - 1)}
        />
        <IconButton
          label={texts.nextRow}
          icon={ChevronDown}
          isDisabled={index >= total - 1}
          onPress={() => go(index + 1)}
        />
        {row && <CopyTools batch={batch} row={row} />}
        <IconButton label={texts.close} icon={X} onPress={onClose} />
      </div>
      {row ? <RowDetail row={row} batch={batch} /> : <p aria-busy>{texts.loadingRow}</p>}
    </>
  );
  if (isCovering)
    return (
      <Dialog title={title} className={styles.full} onClose={onClose}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons inside */}
        <div className={styles.content} onKeyDown={onKeyDown}>
          {content}
        </div>
      </Dialog>
    );
  return (
    <aside className={styles.panel} aria-label={title} onKeyDown={onKeyDown}>
      <h2>{title}</h2>
      {content}
    </aside>
  );
}

function isTyping({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const field = (target as Element).closest('input, textarea, select, [role=region]');
  return ctrlKey || metaKey || altKey || field !== null;
}

function stepOf(event: KeyboardEvent): number {
  const { key } = event;
  if (isTyping(event)) return 0;
  if (key.toLowerCase() === 'j' || key === 'ArrowDown') return 1;
  return key.toLowerCase() === 'k' || key === 'ArrowUp' ? -1 : 0;
}

function CopyTools({ batch, row }: { batch: Batch; row: Row }) {
  const link = `${location.origin}${batchPath(batch.id)}?row=${row.row + 1}`;
  const answer = row.correction ?? row.answer;
  return (
    <>
      <IconButton
        label={texts.copyAnswer}
        icon={Copy}
        isDisabled={answer === null}
        onPress={() => void copyText(answer ?? '', texts.answerCopied)}
      />
      <IconButton
        label={texts.copyLink}
        icon={Link2}
        onPress={() => void copyText(link, texts.linkCopied)}
      />
    </>
  );
}

function RowDetail({ row, batch }: { row: Row; batch: Batch }) {
  return (
    <>
      <RowState state={row.state} isEnded={batch.ended_at !== null} />
      <RowMarks marks={row.marks} />
      {row.problem && (
        <Notice tone={row.state === 'failed' ? 'error' : 'info'} isStatic>
          {row.problem}
        </Notice>
      )}
      {row.earlier_problem && row.earlier_problem !== row.problem && (
        <Notice tone="warning" isStatic>
          {texts.earlierProblem(row.earlier_problem)}
        </Notice>
      )}
      {row.state === 'answered' && <RowJudgement batch={batch} row={row} />}
      {row.correction !== null && (
        <Labelled label={rowTexts.correctedAnswer}>
          <Answer text={row.correction} outputs={batch.outputs} />
        </Labelled>
      )}
      {row.note && (
        <Labelled label={rowTexts.note}>
          <p className="written">{row.note}</p>
        </Labelled>
      )}
      {row.answer !== null && (
        <Labelled
          label={
            row.state === 'failed' || row.correction !== null ? texts.unusableAnswer : texts.answer
          }
        >
          <Answer text={row.answer} outputs={batch.outputs} />
        </Labelled>
      )}
      <Labelled label={texts.prompt}>
        <p className={`written ${styles.prompt}`}>{row.prompt}</p>
      </Labelled>
      <Labelled label={texts.yourRow}>
        <FactList facts={namedValues(row.cells, batch.columns)} empty={texts.empty} />
      </Labelled>
      {row.tokens && (
        <Labelled label={texts.tokensOfModel}>
          <p>{describeTokens(row.tokens)}</p>
        </Labelled>
      )}
      {row.charge !== null && (
        <Labelled label={texts.costOfRow}>
          <p>
            {submissionCount(formatNumber(row.charge))}
            {batch.price_by_size && !row.tokens && ` ${texts.estimatedByLength}`}
          </p>
        </Labelled>
      )}
      {row.answered_by && (
        <Labelled label={texts.answeredBy}>
          <p>{row.answered_by}</p>
        </Labelled>
      )}
    </>
  );
}

/** By its columns, if it has some. */
function Answer({ text, outputs }: { text: string; outputs: readonly Output[] }) {
  const cells = cellsOf(text, outputs);
  if (!cells) return <p className="written">{text}</p>;
  return <FactList facts={cellFacts(cells, outputs)} empty={texts.empty} />;
}

function namedValues(values: readonly string[], names: readonly string[]): Fact[] {
  return values.map((value, index) => ({
    name: names[index] || columnNumber(index + 1),
    value,
  }));
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3>{label}</h3>
      {children}
    </div>
  );
}
