import { useStored } from '../../../lib/storage.ts';

/** The buyer: the signed-in person, or the client an admin acts for. */
export function useBuyer(): string | null {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  return switchedAs?.user_id ?? user?.id ?? null;
}
