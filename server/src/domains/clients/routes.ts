import type { Routes } from '../../handlers.ts';
import { inviteClient } from './invite-client.ts';
import { listOwnClients } from './list-own-clients.ts';
import { resetClientPassword } from './reset-client-password.ts';
import { setLimits } from './set-limits.ts';
import { updateCredits } from './update-credits.ts';

export const clientRoutes = {
  addClient: inviteClient,
  userList: listOwnClients,
  passwordResetByAdmin: resetClientPassword,
  setClientLimits: setLimits,
  updateCreditCount: updateCredits,
} satisfies Partial<Routes>;
