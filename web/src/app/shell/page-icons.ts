import {
  CircleQuestionMark,
  Cpu,
  CreditCard,
  FileSpreadsheet,
  FileText,
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  ShieldCheck,
  ShoppingCart,
  Tags,
  Upload,
  UserRound,
  Users,
  Wallet,
} from 'lucide-react';
import { paths } from '../../lib/paths.ts';

const icons: Record<string, LucideIcon> = {
  [paths.dashboard]: LayoutDashboard,
  [paths.credits]: Wallet,
  [paths.checkout]: ShoppingCart,
  [paths.ask]: Upload,
  [paths.history]: History,
  [paths.sheets]: FileSpreadsheet,
  [paths.profile]: UserRound,
  [paths.changePassword]: KeyRound,
  [paths.clients]: Users,
  [paths.activity]: ListChecks,
  [paths.operator]: ShieldCheck,
  [paths.catalogue]: Tags,
  [paths.providers]: Cpu,
  [paths.payments]: CreditCard,
  [paths.orders]: FileText,
  [paths.help]: CircleQuestionMark,
};

/**
 * The icon of a page in the menus and the header. Separate from the titles, because the first load
 * does not need icons.
 */
export function iconOf(path: string): LucideIcon {
  return icons[path] ?? icons[`/${path.split('/')[1]}`] ?? LayoutDashboard;
}
