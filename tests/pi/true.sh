touch /opt/result/booted
