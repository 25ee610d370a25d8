import type { Routes } from '../../core/handlers.ts';
import { listActivity } from './entries.ts';

export const auditRoutes = { getActivity: listActivity } satisfies Partial<Routes>;
