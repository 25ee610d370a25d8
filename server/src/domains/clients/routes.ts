import type { Routes } from '../../handlers.ts';
import { inviteClient } from './invite-client.ts';
import { listOwnClients } from './list-own-clients.ts';
import { resetClientPassword } from './reset-client-password.ts';

export const clientRoutes = {
  addClient: inviteClient,
  userList: listOwnClients,
  passwordResetByAdmin: resetClientPassword,
} satisfies Partial<Routes>;
