import type { Routes } from '../../handlers.ts';
import { listActivityOf } from './list-activity.ts';

export const auditRoutes = { getActivity: listActivityOf } satisfies Partial<Routes>;
