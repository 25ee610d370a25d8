import { type Batch, nameOf, userList } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { actAsAdmin, actAsClient } from '../../../lib/acting.ts';
import { queryOf } from '../../../lib/api/query.ts';
import { useTitle } from '../../../lib/hooks/use-title.ts';
import { useIdentity } from '../../../lib/session.ts';
import * as texts from '../../../texts/clients.ts';
import { Button } from '../../../ui/button.tsx';
import { CutName } from '../../../ui/cut-name.tsx';
import styles from './batch-detail.module.css';

/** Instead of the batch of a person for whom this tab does not act, such as after going back. */
export function ForeignBatch({ batch }: { batch: Batch }) {
  useTitle(batch.name);
  const isOwn = batch.user_id === useIdentity().user?.id;
  const clients = useQuery({
    ...queryOf(userList, { search: batch.user_id, limit: 1 }),
    enabled: !isOwn,
  });
  const client = clients.data?.users[0];
  return (
    <section className="card">
      <h1 className={styles.name}>
        <CutName name={batch.name} />
      </h1>
      {isOwn ? (
        <>
          <p>{texts.batchIsYours}</p>
          <div>
            <Button onClick={actAsAdmin}>{texts.returnToSelf}</Button>
          </div>
        </>
      ) : (
        <>
          <p>{client ? texts.batchOf(nameOf(client)) : texts.batchOfAnother}</p>
          {client && (
            <div>
              <Button onClick={() => actAsClient(client)}>
                {texts.actAsClient(nameOf(client))}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
