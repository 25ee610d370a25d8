import type { Routes } from '../../core/handlers.ts';
import { showInvitation } from './accounts/invitations.ts';
import { updateProfile } from './accounts/profile.ts';
import { registerPerson } from './accounts/registration.ts';
import { resendVerification, verifyAddress } from './accounts/verification.ts';
import { changePassword } from './passwords/change.ts';
import { requestPasswordReset, resetPassword } from './passwords/reset.ts';
import { revokeSession } from './sessions/devices.ts';
import { signIn, signOut } from './sessions/sign-in.ts';

export const identityRoutes = {
  registerUser: registerPerson,
  login: signIn,
  verifyLink: verifyAddress,
  resendLink: resendVerification,
  sendResetLinkEmail: requestPasswordReset,
  resetPassword,
  changePassword,
  logout: signOut,
  verifyAndUpdateUserDetails: updateProfile,
  revokeSession,
  openEmailLink: showInvitation,
} satisfies Partial<Routes>;
