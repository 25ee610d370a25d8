import type { Routes } from '../../handlers.ts';
import { askPasswordReset } from './ask-password-reset.ts';
import { changePassword } from './change-password.ts';
import { registerPerson } from './register-person.ts';
import { resendVerification } from './resend-verification.ts';
import { resetPassword } from './reset-password.ts';
import { revokeSession } from './revoke-session.ts';
import { showInvitation } from './show-invitation.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { updateProfile } from './update-profile.ts';
import { verifyAddress } from './verify-address.ts';

export const identityRoutes = {
  registerUser: registerPerson,
  login: signIn,
  verifyLink: verifyAddress,
  resendLink: resendVerification,
  sendResetLinkEmail: askPasswordReset,
  resetPassword,
  changePassword,
  logout: signOut,
  verifyAndUpdateUserDetails: updateProfile,
  revokeSession,
  openMailedLink: showInvitation,
} satisfies Partial<Routes>;
