import { isActingAsSelf } from '../../lib/session.ts';
import { type SwitchedAs, useStored } from '../../lib/storage.ts';

/** The client as whom an admin acts at the moment, or null for everybody who acts as himself. */
export function useActedClient(): SwitchedAs | null {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  return switchedAs?.role === 'Client' && !isActingAsSelf({ user, switchedAs }) ? switchedAs : null;
}
