import { Link, useSearchParams } from 'react-router';
import { useStored } from '../../lib/storage.ts';
import * as texts from '../../texts/ask.ts';
import { BatchForm } from './batch-form.tsx';
import { useDraft } from './draft.ts';
import { SingleQuestion } from './single-prompt.tsx';

const tabs = [
  ['', texts.wholeSheet],
  ['?sheet=none', texts.oneQuestion],
] as const;

export function AskPage() {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  const userId = switchedAs?.user_id ?? user?.id;
  // Whoever is acted for has a page of his own: nothing typed for one person is ever sent for another.
  return userId ? <Desk key={userId} userId={userId} /> : null;
}

function Desk({ userId }: { userId: string }) {
  const { draft, change, forget } = useDraft(userId);
  const [search, setSearch] = useSearchParams();
  const isSingle = search.get('sheet') === 'none';
  return (
    <>
      <nav className="tabs" aria-label={texts.kinds}>
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
        <SingleQuestion draft={draft} change={change} />
      ) : (
        <BatchForm
          draft={draft}
          change={change}
          forget={forget}
          wantsSample={search.get('sample') === '1'}
          onSampleTaken={() => setSearch({}, { replace: true })}
        />
      )}
    </>
  );
}
