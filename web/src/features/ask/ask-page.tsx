import { Link, useSearchParams } from 'react-router';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/ask.ts';
import { BatchForm } from './batch-form.tsx';
import { useDraft } from './draft.ts';
import { SinglePrompt } from './single-prompt.tsx';

const tabs = [
  ['', texts.wholeSheet],
  ['?sheet=none', texts.oneQuestion],
] as const;

export function AskPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  const userId = switchedAs?.user_id ?? user?.id;
  // Keyed by person, so text typed for one client is never sent for another.
  return userId ? <RequestForm key={userId} userId={userId} /> : null;
}

function RequestForm({ userId }: { userId: string }) {
  const { draft, changeDraft, clearDraft } = useDraft(userId);
  const [search, setSearch] = useSearchParams();
  const isSingle = search.get('sheet') === 'none';
  return (
    <>
      <nav className="tabs" aria-label={texts.kindOfRequest}>
        {tabs.map(([address, title]) => (
          <Link
            key={title}
            to={{ search: address }}
            aria-current={isSingle === (address !== '') ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      {isSingle ? (
        <SinglePrompt draft={draft} changeDraft={changeDraft} />
      ) : (
        <BatchForm
          draft={draft}
          changeDraft={changeDraft}
          clearDraft={clearDraft}
          wantsSample={search.get('sample') === '1'}
          onSampleLoaded={() => setSearch({}, { replace: true })}
        />
      )}
    </>
  );
}
