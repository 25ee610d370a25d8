import type { Routes } from '../../core/handlers.ts';
import { listActivityOf } from './entries.ts';

export const auditRoutes = { getActivity: listActivityOf } satisfies Partial<Routes>;
