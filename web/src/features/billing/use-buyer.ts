import { useStored } from '../../lib/storage.ts';

/** For whom is bought: the signed-in person, or the client as whom an admin acts. */
export function useBuyer(): string | null {
  const user = useStored('currentUser');
  const switchedAs = useStored('switchedAs');
  return switchedAs?.user_id ?? user?.id ?? null;
}
