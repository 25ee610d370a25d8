import type { Routes } from '../../core/handlers.ts';
import { changeRole, listPeople, moveClient, suspendPerson } from './people.ts';
import { checkInvariants, showAuditLog, showOverview } from './reports.ts';

export const operatorRoutes = {
  getPeople: listPeople,
  setRole: changeRole,
  moveClient,
  setSuspended: suspendPerson,
  getAuditLog: showAuditLog,
  getInvariants: checkInvariants,
  getOverview: showOverview,
} satisfies Partial<Routes>;
