import type { Capability } from '@rowmill/contract';
import { userCan } from '../session.ts';
import { useStored } from '../storage.ts';

/** Whether the signed-in person may do this. Only for controls: the server decides. */
export function useCan(capability: Capability): boolean {
  return userCan(useStored('currentUser'), capability);
}
