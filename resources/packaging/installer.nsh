; Open with, for folders and for the empty part of one, and `greenlight` for the Run dialog and the command line.
!macro customInstall
  WriteRegStr SHCTX "Software\Classes\Directory\shell\Greenlight" "" "Open with Greenlight"
  WriteRegStr SHCTX "Software\Classes\Directory\shell\Greenlight" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  WriteRegStr SHCTX "Software\Classes\Directory\shell\Greenlight\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  WriteRegStr SHCTX "Software\Classes\Directory\Background\shell\Greenlight" "" "Open with Greenlight"
  WriteRegStr SHCTX "Software\Classes\Directory\Background\shell\Greenlight" "Icon" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
  WriteRegStr SHCTX "Software\Classes\Directory\Background\shell\Greenlight\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%V"'
  WriteRegStr SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\greenlight.exe" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
!macroend

!macro customUnInstall
  DeleteRegKey SHCTX "Software\Classes\Directory\shell\Greenlight"
  DeleteRegKey SHCTX "Software\Classes\Directory\Background\shell\Greenlight"
  DeleteRegKey SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\greenlight.exe"
!macroend
