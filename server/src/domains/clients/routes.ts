import type { Routes } from '../../core/handlers.ts';
import { listOwnClients, setLimits } from './clients.ts';
import { updateCredits } from './credits.ts';
import { inviteClient, resetClientPassword } from './invitations.ts';

export const clientRoutes = {
  addClient: inviteClient,
  userList: listOwnClients,
  passwordResetByAdmin: resetClientPassword,
  setClientLimits: setLimits,
  updateCreditCount: updateCredits,
} satisfies Partial<Routes>;
