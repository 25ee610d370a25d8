import type { Routes } from '../../core/handlers.ts';
import { reviseSheet } from './revisions.ts';
import { openOriginal, showSheet } from './sheets.ts';
import { deleteOwnSheet, listOwnSheets } from './storage.ts';
import { storeSheet } from './uploads.ts';
import { showView, storeView } from './views.ts';

export const fileRoutes = {
  saveFile: storeSheet,
  listFiles: listOwnSheets,
  getFile: showSheet,
  reviseFile: reviseSheet,
  deleteFile: deleteOwnSheet,
  getSheetView: showView,
  changeSheetView: storeView,
  downloadUploadedCsv: openOriginal,
} satisfies Partial<Routes>;
