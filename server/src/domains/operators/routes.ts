import type { Routes } from '../../core/handlers.ts';
import { showOverview } from './overview.ts';
import { changeRole, listPeople, moveClient, suspendPerson } from './people.ts';
import { checkInvariants, showAuditLog } from './reports.ts';

export const operatorRoutes = {
  getPeople: listPeople,
  setRole: changeRole,
  moveClient,
  setSuspended: suspendPerson,
  getAuditLog: showAuditLog,
  getInvariants: checkInvariants,
  getOverview: showOverview,
} satisfies Partial<Routes>;
