import { identifier, oneOf, useSearchState } from '../../lib/hooks/use-search-state.ts';
import { useSubjectId } from '../../lib/session.ts';
import * as texts from '../../texts/ask.ts';
import { Tabs } from '../../ui/tabs.tsx';
import styles from './ask-page.module.css';
import { BatchForm } from './batch-form.tsx';
import { useDraft } from './draft.ts';
import { SinglePrompt } from './single-prompt.tsx';

const askState = { sheet: identifier, sample: oneOf(['1'], null) };
/** In the place of the id of a sheet. */
const noSheet = 'none';
const tabs = [
  ['', texts.wholeSheet],
  [`?sheet=${noSheet}`, texts.oneQuestion],
] as const;

export function AskPage() {
  const userId = useSubjectId();
  // Keyed by person, so text typed for one client is never sent for another.
  return userId ? <RequestForm key={userId} userId={userId} /> : null;
}

function RequestForm({ userId }: { userId: string }) {
  const { draft, changeDraft } = useDraft(userId);
  const [{ sheet, sample }, show] = useSearchState(askState);
  const isSingle = sheet === noSheet;
  return (
    <div className={`full-page ${styles.page}`}>
      <div className={styles.tabs}>
        <Tabs
          label={texts.kindOfRequest}
          tabs={tabs.map(([search, label]) => ({
            to: { search },
            label,
            isCurrent: isSingle === (search !== ''),
          }))}
        />
      </div>
      {isSingle ? (
        <div className={styles.body}>
          <SinglePrompt draft={draft} changeDraft={changeDraft} />
        </div>
      ) : (
        <BatchForm
          draft={draft}
          changeDraft={changeDraft}
          opened={sheet}
          onOpened={() => show({ sheet: null }, { replace: true })}
          wantsSample={sample === '1'}
          onSampleLoaded={() => show({ sample: null }, { replace: true })}
        />
      )}
    </div>
  );
}
