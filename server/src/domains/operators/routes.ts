import type { Routes } from '../../handlers.ts';
import { changeRole } from './change-role.ts';
import { checkInvariants } from './check-invariants.ts';
import { listPeople } from './list-people.ts';
import { moveClient } from './move-client.ts';
import { showAuditLog } from './show-audit-log.ts';
import { suspendPerson } from './suspend-person.ts';

export const operatorRoutes = {
  getPeople: listPeople,
  setRole: changeRole,
  moveClient,
  setSuspended: suspendPerson,
  getAuditLog: showAuditLog,
  getInvariants: checkInvariants,
} satisfies Partial<Routes>;
