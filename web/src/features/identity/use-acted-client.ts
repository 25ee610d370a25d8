import { isActingAsSelf } from '../../lib/session.ts';
import { type SwitchedAs, useStored } from '../../lib/storage.ts';

/** The client an admin acts for, or null. */
export function useActedClient(): SwitchedAs | null {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  return switchedAs?.role === 'Client' && !isActingAsSelf({ user, switchedAs }) ? switchedAs : null;
}
