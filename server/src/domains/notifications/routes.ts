import type { Routes } from '../../core/handlers.ts';
import { markNotificationsRead, showNotifications } from './bell.ts';

export const notificationRoutes = {
  getNotifications: showNotifications,
  readNotifications: markNotificationsRead,
} satisfies Partial<Routes>;
