// In development every microfrontend uses the one Fast Refresh runtime that the shell installed before react-dom ran:
// a second copy would receive updates but know no renderer to repaint.
export const { createSignatureFunctionForTransform, getFamilyByType, isLikelyComponentType, performReactRefresh, register } =
  globalThis.__colonnadeRefresh;
