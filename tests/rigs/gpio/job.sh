# Runs in the virtual machine, as root, in a copy of this folder that also holds the rooms device/ and engine/.
set -e
python3 /rig/gpio-vm/guest/simgpio.py up
PYTHONPATH=/host GPIOZERO_PIN_FACTORY=lgpio python3 panel_job.py
