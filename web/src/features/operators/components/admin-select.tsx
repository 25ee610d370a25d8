import { getPeople, roles } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { call } from '../../../lib/api-client.ts';
import { Loading } from '../../../ui/loading.tsx';

/** Who shall look after a client. */
export function AdminSelect({ present }: { present: string }) {
  const id = useId();
  const query = useQuery({
    queryKey: ['people', 'admins'],
    queryFn: () => call(getPeople, { role_id: roles.admin, limit: 100 }),
  });
  return (
    <Loading query={query}>
      {({ people }) => (
        <div className="field">
          <label htmlFor={id}>Looked after by</label>
          <select id={id} name="admin" defaultValue={present}>
            <option value="">Nobody</option>
            {people.map((admin) => (
              <option key={admin.id} value={admin.id}>
                {admin.first_name} {admin.last_name} ({admin.email})
              </option>
            ))}
          </select>
        </div>
      )}
    </Loading>
  );
}
