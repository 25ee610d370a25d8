import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

const overlay = { isOverlay: true };

/** An overlay with its own entry in the history. Back closes it, and closing it goes back. */
export function useOverlayEntry() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const leave = useCallback(() => void navigate(-1), [navigate]);
  return { isOverlay: state?.isOverlay === true, overlay, leave };
}
